interface FromJson {
  parseCreationOptionsFromJSON(options: object): PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON(options: object): PublicKeyCredentialRequestOptions;
}
const parser = (): FromJson => PublicKeyCredential as unknown as FromJson;

export const hasPasskeys = (): boolean => 'PublicKeyCredential' in globalThis;

const asText = (credential: Credential | null): string | undefined =>
  credential ? JSON.stringify(credential) : undefined;

/** Opens the dialog of the browser. Returns undefined if the user closes it. */
async function withoutDomException(operation: () => Promise<Credential | null>): Promise<string | undefined> {
  try {
    return asText(await operation());
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Creates a passkey with the options of `startPasskey`, for `confirmPasskey`. */
export const createPasskey = (options: string): Promise<string | undefined> =>
  withoutDomException(() =>
    navigator.credentials.create({ publicKey: parser().parseCreationOptionsFromJSON(JSON.parse(options)) }),
  );

/** Signs with a passkey and the options of `startPasskeySignIn`, for `signIn` and `confirmSecondFactor`. */
export const getPasskeyAssertion = (options: string): Promise<string | undefined> =>
  withoutDomException(() =>
    navigator.credentials.get({ publicKey: parser().parseRequestOptionsFromJSON(JSON.parse(options)) }),
  );
