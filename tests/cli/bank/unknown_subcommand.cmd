"$DENSEVAL" bank biuld
