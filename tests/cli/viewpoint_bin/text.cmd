# Several models; what follows --colmap are folders too.
"$PYTHON" "$CLI/make_colmap.py" text m 0 14 29 95
"$PYTHON" "$CLI/make_colmap.py" model n 0 40
"$DENSEVAL" viewpoint bin --colmap m n --bins 0:90:45
