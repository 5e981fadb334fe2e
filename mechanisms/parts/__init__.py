"""What the mechanisms of the catalogue are made of: noise, its calibration, parameters, data."""
