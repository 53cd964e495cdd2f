declare module '@zxcvbn-ts/language-common/dist/passwords.json.mjs' {
  /** Lower case, most frequent first. */
  const passwords: readonly string[];
  export default passwords;
}
