"""``python -m salitrap``."""

from salitrap.cli.entry import main

if __name__ == "__main__":
    main()
