/** Texts of the contract and of providers, which stay as they are: [part of the text, the word that would be complained of]. */
export const quoted = [];
