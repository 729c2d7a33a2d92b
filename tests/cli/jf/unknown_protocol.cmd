"$DENSEVAL" jf --truth a --pred b --protocol davis
