"""Runs Cypher statements on a namespace and flushes: commit.py STORE NAMESPACE STATEMENT..."""
import sys

import namidb

client = namidb.Client("file://%s?ns=%s" % (sys.argv[1], sys.argv[2]))
for statement in sys.argv[3:]:
    client.cypher(statement, {})
client.flush()
