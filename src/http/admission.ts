/**
 * How many requests one host works on at once. Beyond that a refusal at once, before money moves, beats answering everybody too
 * late.
 */
export class Admission {
  readonly limit: number;
  #underWay = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Requests that have a place. */
  get running(): number {
    return this.#underWay;
  }

  /** False when there is no room; else `leave` must follow. */
  enter(): boolean {
    if (this.#underWay >= this.limit) return false;
    this.#underWay++;
    return true;
  }

  leave(): void {
    this.#underWay--;
  }
}
