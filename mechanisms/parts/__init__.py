"""Components of the catalogue's mechanisms: noise, calibration, parameters, data."""
