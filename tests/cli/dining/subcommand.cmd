# Whoever leaves the subcommand out, or takes a word for it that is near none, gets the list.
for words in "--truth x" "" accuracy vqs nutritions; do "$DENSEVAL" dining $words; done
