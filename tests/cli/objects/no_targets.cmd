"$DENSEVAL" objects --targets nowhere.json --truth truth --pred pred
