import type { MikroORM } from '@mikro-orm/postgresql';
import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import type { AuditService } from '../audit/audit.service.js';
import type { RequestContext } from '../core/context.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageView } from '../graphql-toolkit/connection.js';
import { recordId } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import type { Emails } from '../mails/emails.room.js';
import { withEmails } from '../mails/emails.room.js';
import { FailedEmailConnection, ResendEmailInput, ResendEmailPayload } from './failed-emails.types.js';

export interface EmailParts {
  orm: MikroORM;
  audit: AuditService;
  mails: Emails;
}

const emailNodeId = (id: string): string => `eml_${id}`;

/** Resolver for failed emails, for staff. */
@Resolver()
export class FailedEmailsResolver {
  constructor(private readonly parts: EmailParts) {}

  @Query(() => FailedEmailConnection, {
    nullable: true,
    description: 'Failed emails (retries exhausted) that are not deleted yet, newest first.',
  })
  async failedEmails(@Arguments(PageArguments) request: PageArguments): Promise<FailedEmailConnection> {
    return pageView(await this.parts.mails.failed.page(request), (email) => ({ ...email, id: emailNodeId(email.id) }));
  }

  @Mutation(() => ResendEmailPayload, {
    nullable: true,
    description:
      'Retries a failed email. Returns CONFLICT if the email is already queued or the link in the email has expired.',
  })
  async resendEmail(
    @Arg('input', () => ResendEmailInput, { description: 'Failed email to retry.' }) { emailId }: ResendEmailInput,
    @Ctx() context: RequestContext,
  ): Promise<ResendEmailPayload> {
    const id = recordId(emailId, 'eml', 'email');
    const { audit, mails } = this.parts;
    await withEmails(this.parts, async (tx) => {
      const after = await mails.resend(id, tx);
      // the recipient is not recorded, because audit entries are permanent
      await audit.record(actorOf(context), { action: 'email.resend', subject: `email:${id}`, before: null, after }, tx);
    });
    return { emailId: emailNodeId(id) };
  }
}
