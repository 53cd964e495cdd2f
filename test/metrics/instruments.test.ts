import { expect, it } from 'vitest';
import { Counter, Histogram, Metrics } from '../../src/core/metrics.js';

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

it('a counter counts by labels, and is written in the Prometheus format', () => {
  const counter = new Counter('gateway_x_total', 'Help.', ['host', 'code'] as const);
  counter.add(1, 'uat', 'OK');
  counter.add(2, 'uat', 'OK');
  counter.add(1, 'uat', 'a "quoted" \\ line\nbreak');
  expect(linesOf(counter.text())).toEqual([
    'gateway_x_total{host="uat",code="OK"} 3',
    'gateway_x_total{host="uat",code="a \\"quoted\\" \\\\ line\\nbreak"} 1',
  ]);
  expect(counter.text()).toContain('# HELP gateway_x_total Help.\n# TYPE gateway_x_total counter\n');
});

it('a histogram accumulates its buckets, includes each bound in the lower bucket, and counts values above all bounds', () => {
  const histogram = new Histogram('gateway_x_seconds', 'Help.', ['host'] as const, [0.5, 2]);
  for (const value of [0.1, 0.5, 1.5, 60]) histogram.observe(value, 'uat');
  expect(linesOf(histogram.text())).toEqual([
    'gateway_x_seconds_bucket{host="uat",le="0.5"} 2',
    'gateway_x_seconds_bucket{host="uat",le="2"} 3',
    'gateway_x_seconds_bucket{host="uat",le="+Inf"} 4',
    'gateway_x_seconds_sum{host="uat"} 62.1',
    'gateway_x_seconds_count{host="uat"} 4',
  ]);
});

it('labels whose concatenated texts are equal are kept separate', () => {
  const counter = new Counter('gateway_x_total', 'Help.', ['a', 'b'] as const);
  counter.add(1, 'x', 'yz');
  counter.add(1, 'xy', 'z');
  expect(linesOf(counter.text())).toHaveLength(2);
});

it('a gauge shows the values of the last scrape, and no earlier ones', async () => {
  const metrics = new Metrics();
  let providers = ['ROUNDPAY', 'MOKSHIQ'];
  metrics.gauge('open', (put) => providers.forEach((provider, index) => put(index, provider)));
  const openOrderLines = async () =>
    linesOf(await metrics.text()).filter((line) => line.startsWith('gateway_orders_open'));
  expect(await openOrderLines()).toEqual([
    'gateway_orders_open{provider="ROUNDPAY"} 0',
    'gateway_orders_open{provider="MOKSHIQ"} 1',
  ]);
  providers = ['MOKSHIQ'];
  expect(await openOrderLines()).toEqual(['gateway_orders_open{provider="MOKSHIQ"} 0']);
});
