declare module '@zxcvbn-ts/language-common/dist/passwords.json.mjs' {
  /** Lower case, the most frequent first. */
  const passwords: readonly string[];
  export default passwords;
}
