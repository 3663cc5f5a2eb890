"""`python -m probare` is the same as `probare`."""

from probare.cli import main

if __name__ == "__main__":
    main()
