"""Black boxes: what an audit may run, and the interface of one of your own."""

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.http import HttpBlackBox
from audit.blackbox.interface import BlackBox
from audit.blackbox.postgres import PostgresBlackBox
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.blackbox.sql import SqlBlackBox

__all__ = [
    "BlackBox",
    "CommandBlackBox",
    "HttpBlackBox",
    "PostgresBlackBox",
    "PythonBlackBox",
    "ServedBlackBox",
    "SqlBlackBox",
]
