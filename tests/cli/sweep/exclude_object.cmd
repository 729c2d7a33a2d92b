# Without the rows of its own object every bin is harder, and no neighbour is of it.
EXTRA="exclude: object" sh "$CLI/make_sweep.sh" > s.yaml
"$DENSEVAL" sweep s.yaml --out out --plots none --json | $JSON settings.exclude cells.0.provenance.same_object
