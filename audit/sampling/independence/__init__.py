"""Fresh instances of a black box: started anew, asked a few times, ended."""
