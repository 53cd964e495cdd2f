import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Failure } from '../failure.js';
import { Badge, Button, Card, Empty, PageHead, Problem, Skeleton, useTitle } from '../parts.js';
import { usePermission, useViewer } from '../people.js';
import { UatError, useUat } from '../uat.js';
import { words } from '../words.js';

/** More than the rest of the portal: nobody loads it who does not ask for it. */
const Editor = lazy(async () => ({ default: (await import('../explorer/editor.js')).Editor }));

const said = words.explorer;

export function Explorer(): ReactNode {
  useTitle(said.title);
  const isAllowed = usePermission('createTestToken');
  const isApproved = useViewer().developer?.onboardingStatus === 'APPROVED';
  return (
    <>
      <PageHead title={said.title} lead={said.lead}>
        <Badge tone="quiet">{words.environments.UAT}</Badge>
      </PageHead>
      {!isAllowed ? (
        <Empty>{said.notYours}</Empty>
      ) : isApproved ? (
        <WithToken />
      ) : (
        <Empty
          action={
            <Link to="/onboarding" className="button">
              {words.keys.continueOnboarding}
            </Link>
          }
        >
          {said.notYet}
        </Empty>
      )}
    </>
  );
}

function WithToken(): ReactNode {
  const uat = useUat();
  const [baseUrl, setBaseUrl] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [isRunning, setRunning] = useState(false);
  async function start(): Promise<void> {
    setRunning(true);
    setFailure(undefined);
    try {
      setBaseUrl(await uat.open());
    } catch (error) {
      if (!(error instanceof UatError)) throw error;
      setFailure(error.failure);
    } finally {
      setRunning(false);
    }
  }
  if (baseUrl === undefined)
    return (
      <Card title={said.tokenTitle} edge="uat">
        <div className="stack">
          <p>{said.tokenText}</p>
          {failure ? <Problem failure={failure} /> : null}
          <p className="row">
            <Button kind="main" busy={isRunning} onClick={() => void start()}>
              {said.start}
            </Button>
          </p>
        </div>
      </Card>
    );
  return (
    <>
      <p className="quiet small">{said.sendsTo(baseUrl)}</p>
      <div className="explorer">
        <Suspense fallback={<Skeleton rows={8} />}>
          <Editor uat={uat} />
        </Suspense>
      </div>
    </>
  );
}
