"$DENSEVAL" info --json --threads 1 | $JSON schema command settings inputs machine.threads.allowed machine.threads.option resources.threads
