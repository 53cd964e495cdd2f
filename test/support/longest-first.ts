import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take the longest. If they started last, they would run by themselves at the end. */
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

/** Uses the same order in every run, including the first one on a machine, which has no recorded times. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((part) => moduleId.includes(`/test/${part}`));
      return index === -1 ? LONG.length : index;
    };
    return files.toSorted((a, b) => place(a) - place(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
