import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, in this order: begun last, it would be all that runs at the end. */
const LONG = [
  'faults/crash-matrix',
  'faults/graceful-life',
  'model/database',
  'mutations/',
  'recharge/keyless-arrivals',
  'fuzz/selection',
  'portal/every-page',
  'portal/roles',
  'faults/',
  'dev/',
  'model/',
  'e2e/',
];

/** Every run in the same order, also the first on a machine, which has no times of earlier runs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((part) => moduleId.includes(`/test/${part}`));
      return index === -1 ? LONG.length : index;
    };
    return files.toSorted((a, b) => place(a) - place(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
