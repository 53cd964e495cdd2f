declare module '@zxcvbn-ts/language-common/dist/passwords.json.mjs' {
  /** Common passwords in lower case, most frequent first. */
  const passwords: readonly string[];
  export default passwords;
}
