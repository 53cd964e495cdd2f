// The pages behind mailed links. The link's token stands behind the "#", which no browser sends to a server.
const form = document.querySelector('form');
const status = document.querySelector('[role="status"]');
const button = form.querySelector('button');
// one page asks for none
const password = form.querySelector('input');
const token = new URLSearchParams(location.hash.slice(1)).get('token');

const calls = {
  verify: {
    query: 'mutation($input: VerifyEmailInput!) { verifyEmail(input: $input) { viewer { user { id } } } }',
    input: () => ({ token, password: password.value }),
    done: 'Your address is confirmed. You can sign in now.',
  },
  'reset-password': {
    query: 'mutation($input: ResetPasswordInput!) { resetPassword(input: $input) { viewer { user { id } } } }',
    input: () => ({ token, newPassword: password.value }),
    done: 'Your new password is set. You can sign in with it now.',
  },
  'accept-invitation': {
    query: 'mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { viewer { user { id } } } }',
    input: () => ({ token, password: password.value }),
    done: 'You have joined. You can sign in now, with this address and your password.',
  },
  'confirm-email': {
    query: 'mutation($input: ConfirmEmailInput!) { confirmEmail(input: $input) { viewer { user { id } } } }',
    input: () => ({ token }),
    done: 'Your new address is confirmed. You sign in with it from now on.',
  },
};
const call = calls[document.body.dataset.page];

function show(text, isError) {
  status.classList.toggle('error', isError);
  status.textContent = text;
}

function textOf({ message, extensions }) {
  switch (extensions.code) {
    case 'INVALID_CREDENTIALS':
      return 'This is not the password that was chosen in the sign-up of this link. Try again, or use the link of your newest mail.';
    case 'TOO_MANY_FAILED_EXCHANGES':
    case 'RATE_LIMITED':
      return `Too many attempts. Try again in ${Math.max(1, Math.ceil((extensions.retryAfterMs ?? 60_000) / 60_000))} minutes.`;
    case 'VALIDATION_FAILED':
      return extensions.fields?.[0]?.message ?? message;
    default:
      return 'The service is busy. Try again in a moment.';
  }
}

async function submit() {
  const response = await fetch('/graphql', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: call.query, variables: { input: call.input() } }),
  });
  const { errors } = await response.json();
  if (errors) {
    show(textOf(errors[0]), true);
    password?.select();
    return;
  }
  form.hidden = true;
  // the link is used up: nobody who comes to this machine later needs it
  history.replaceState(null, '', location.pathname);
  show(call.done, false);
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  show('', false);
  button.disabled = true;
  submit()
    .catch(() => show('The service could not be reached. Try again in a moment.', true))
    .finally(() => {
      button.disabled = false;
    });
});

if (token) form.hidden = false;
else show('This link is not complete. Open it from the mail again, or copy all of it.', true);
