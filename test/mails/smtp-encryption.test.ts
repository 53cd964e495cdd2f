import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.js';
import { connectionOptions, createSmtpMailer } from '../../src/mails/mailer-smtp.adapter.js';

it.each([
  ['smtps://mail.example', false],
  ['smtp://mail.example:587', true],
  ['smtp://user:p%40ss@mail.example:587?requireTLS=false&ignoreTLS=true', true],
  ['smtp://127.0.0.1.evil.example', true],
  ['smtp://10.0.0.1', true],
  ['smtp://localhost:1025', false],
  ['smtp://127.0.0.2', false],
  ['smtp://[::1]:25', false],
])('%s: encryption is required before any other command: %s', (url, requireTLS) => {
  const options = connectionOptions(url);
  expect(options.requireTLS).toBe(requireTLS);
  expect(options.url).not.toMatch(/TLS/);
  expect(new URL(options.url).password).toBe(new URL(url).password);
});

it('sends neither address nor link to a server whose STARTTLS offer was removed', async () => {
  let received = '';
  const converse = (socket: Socket): void => {
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      received += chunk.toString();
      // As a server without STARTTLS.
      socket.write(chunk.toString().startsWith('STARTTLS') ? '502 no such command\r\n' : '250 ok\r\n');
    });
  };
  const server = createServer(converse);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  // This address reaches the local machine, but is not one of its known names.
  const mailer = createSmtpMailer(new Secret(`smtp://0.0.0.0:${port}`), 'Gateway <no-reply@gateway.example>');
  const email = { id: 'id', to: 'somebody@mails.example', subject: 'S', text: 'a link\n' };
  await expect(mailer.send(email)).rejects.toThrow();
  expect(received).toContain('STARTTLS');
  for (const secret of ['MAIL FROM', 'somebody@mails.example', 'a link']) expect(received).not.toContain(secret);
  await mailer.close();
  server.close();
});
