import type { MouseEvent, ReactNode } from 'react';
import { useClient } from 'urql';
import { failureOf } from './failure.js';
import { graphql } from './graphql.js';
import { showFailure } from './toasts.js';
import { words } from './words.js';

const STILL_SIGNED_IN = graphql(`
  query StillSignedIn {
    viewer {
      user {
        id
      }
    }
  }
`);

/**
 * Download link of the console. Browsers do not report a rejected download, so the link first checks whether the session is still
 * valid.
 */
function FileLink({ href, title, children }: { href: string; title: string; children: ReactNode }): ReactNode {
  const client = useClient();
  async function follow(event: MouseEvent): Promise<void> {
    event.preventDefault();
    const { error } = await client.query(STILL_SIGNED_IN, {}, { requestPolicy: 'network-only' }).toPromise();
    if (error) return showFailure(words.common.notDownloaded, failureOf(error));
    const link = document.createElement('a');
    link.href = href;
    link.download = '';
    link.click();
  }
  return (
    <a className="button" href={href} download title={title} onClick={(event) => void follow(event)}>
      {children}
    </a>
  );
}

type Parameter = string | number | boolean | readonly string[] | null | undefined;

/** Links to download a list as CSV and as an Excel workbook, with the filters of the page. */
export function FileLinks({
  path,
  parameters,
  title,
}: {
  path: string;
  parameters: Readonly<Record<string, Parameter>>;
  title: string;
}): ReactNode {
  const isSet = ([, value]: readonly [string, Parameter]): boolean => value !== undefined && value !== null;
  const query = new URLSearchParams(
    Object.entries(parameters)
      .filter(isSet)
      .map(([name, value]) => [name, String(value)]),
  );
  return (
    <>
      <FileLink href={`${path}.csv?${query}`} title={title}>
        {words.common.csv}
      </FileLink>
      <FileLink href={`${path}.xlsx?${query}`} title={title}>
        {words.common.workbook}
      </FileLink>
    </>
  );
}
