"""What leaves the house: dataset folders and what reads them back."""
