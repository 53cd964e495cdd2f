import type { TestApp, TestDeveloper, TestResponse } from '../support/app.js';

/** A recharge that Mokshiq completes: a Vi number, 10 rupees, no circle. */
const body = {
  account_number: '9876543210',
  amount: 10,
  operator_sp_key: 37,
  operator_type: 'mobile',
};

/** Helpers for Mokshiq tests, bound to one app. */
export const mokshiqTools = (test: TestApp) => ({
  mokshiqDeveloper: (): Promise<TestDeveloper> => test.developer({ provider: 'MOKSHIQ', rateLimitPerMinute: 500 }),

  recharge: (
    { tokens }: TestDeveloper,
    more: object = {},
    environment: 'uat' | 'production' = 'production',
  ): Promise<TestResponse> =>
    test.rest(environment, 'POST', '/api/v1/recharge', tokens[environment], { ...body, ...more }),

  /**
   * Paths of provider calls, oldest first. Excludes RoundPay status checks because orders of other files may be due in the shared
   * app.
   */
  called: async (): Promise<string[]> =>
    (await test.simulator.calls()).map(({ path }) => path).filter((path) => path !== '/roundpay/API/StatusCheck'),

  ordersOf: ({ id }: TestDeveloper) =>
    test.db.query<{ provider: string; state: string }>(
      'select provider, state from orders where developer_id = $1 order by orders.created_at',
      [id],
    ),

  /** Kinds of the developer's transfers except credits, oldest first. */
  kindsOf: async ({ id }: TestDeveloper): Promise<string[]> =>
    (
      await test.db.query<{ kind: string }>(
        `select kind from transfer where developer_id = $1 and kind <> 'top_up' order by transfer.created_at, transfer.step`,
        [id],
      )
    ).map(({ kind }) => kind),
});
