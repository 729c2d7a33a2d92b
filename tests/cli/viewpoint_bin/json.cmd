"$PYTHON" "$CLI/make_colmap.py" model m/sparse/0 0 14 29 95
"$PYTHON" "$CLI/make_colmap.py" model m/sparse/1 0 14
"$DENSEVAL" viewpoint bin --colmap m --json --bin-tolerance 4 | $JSON schema command settings inputs.0.path objects.0.name objects.0.accepted \
    objects.0.reference objects.0.models objects.0.frames.2.name objects.0.bins.1.frame objects.0.bins.6 classes total.images \
    total.accepted_objects skipped partial resources.threads
