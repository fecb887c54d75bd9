"""Systems that are no semi-HMM of this project: rules, word aligners of others, word vectors."""
