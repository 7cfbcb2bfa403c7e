"""Tries patterns on texts: a line of each has both in base64. Prints whether the pattern is found in the text, and whether it fits all of it."""

import base64
import re
import sys

for line in sys.stdin.read().splitlines():
    pattern, text = (base64.b64decode(part).decode() for part in line.split(","))
    print(int(re.search(pattern, text) is not None), int(re.fullmatch(pattern, text) is not None), sep="")
