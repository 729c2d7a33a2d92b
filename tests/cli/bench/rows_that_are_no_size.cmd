"$DENSEVAL" bench search --rows 320k,many
