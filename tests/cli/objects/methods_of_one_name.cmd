mkdir -p a/pred b/pred
"$DENSEVAL" objects --targets targets.json --truth truth --pred a/pred,b/pred/
