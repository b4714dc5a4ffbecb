"""Model access: roles, pools, journal, and the one enum in which every call ends."""
