echo '{"miou": 0.5}' >result.json
"$DENSEVAL" info result.json
