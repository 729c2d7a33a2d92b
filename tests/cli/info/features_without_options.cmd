"$PYTHON" "$CLI/make_features.py" f.h5 --bare
"$DENSEVAL" info f.h5 --json | $JSON files.0.encoder files.0.mean files.0.labels files.0.classes files.0.objects files.0.bins files.0.finite settings inputs.0.path inputs.0.size
