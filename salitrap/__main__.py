"""``python -m salitrap``."""

from salitrap.cli.main import main

if __name__ == "__main__":
    main()
