interface FromJson {
  parseCreationOptionsFromJSON(options: object): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: object): PublicKeyCredentialRequestOptions;
}
const parser = (): FromJson => PublicKeyCredential as unknown as FromJson;

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

const asText = (credential: Credential | null): string | undefined =>
  credential ? JSON.stringify(credential) : undefined;

/** The browser's own dialog; undefined when the person closed it. */
async function quietly(ask: () => Promise<Credential | null>): Promise<string | undefined> {
  try {
    return asText(await ask());
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Makes a passkey of the options of `startPasskey`: what `confirmPasskey` takes. */
export const makePasskey = (options: string): Promise<string | undefined> =>
  quietly(() =>
    navigator.credentials.create({ publicKey: parser().parseCreationOptionsFromJSON(JSON.parse(options)) }),
  );

/** Shows one, with the options of `startPasskeySignIn`: what `signIn` and `confirmSecondFactor` take. */
export const showPasskey = (options: string): Promise<string | undefined> =>
  quietly(() => navigator.credentials.get({ publicKey: parser().parseRequestOptionsFromJSON(JSON.parse(options)) }));
