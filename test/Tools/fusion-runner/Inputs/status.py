"""status.py N COMMAND...: succeeds if COMMAND ends with the exit status N."""

import subprocess
import sys

status = subprocess.run(sys.argv[2:], check=False).returncode
if status != int(sys.argv[1]):
    sys.exit("expected exit status %s, but got %d" % (sys.argv[1], status))
