"$DENSEVAL" jf --truth a --pred b --cameras 1,2
"$DENSEVAL" jf --truth a --pred b --protocol davis2016 --reference-frame exclude
