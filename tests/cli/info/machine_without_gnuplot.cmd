PATH=. "$DENSEVAL" info --json | $JSON machine.plots.usable machine.plots.program machine.plots.reason
