import { INTENT_RULES } from '../../../src/adapter/demo/demo_intents';
import { parseRequest } from '../../../src/adapter/demo/demo_parse';
import { matchChoice, parseReplacement } from '../../../src/adapter/demo/demo_words';

it('times', () => {
  const out: string[] = [];
  for (const piece of ['change a in ', 'list files, ', '把改成', 'write ', "'", '“', '`a', ' to ', '再', ' ', '.a ', 'plan: a; ']) {
    for (const [n, f] of [
      ['req', parseRequest],
      ['rep', parseReplacement],
      ['match', (t: string) => matchChoice(t, ['a.txt'])],
    ] as const) {
      const t = performance.now();
      f(piece.repeat(20000));
      const d = performance.now() - t;
      if (d > 30) out.push(`${JSON.stringify(piece)} ${n} ${d.toFixed(0)}`);
    }
    for (const l of ['en', 'zh-CN'] as const)
      INTENT_RULES[l].forEach((r, i) => {
        const t = performance.now();
        r.pattern.exec(piece.repeat(20000).slice(0, 2000));
        const d = performance.now() - t;
        if (d > 20) out.push(`   ${JSON.stringify(piece)} ${l} ${i} ${r.kind} ${d.toFixed(0)}`);
      });
  }
  console.log(out.join('\n'));
});
