import { holdsSecret } from '../../../src/feature/memory/secret_patterns';
import { cpuTime } from '../../support/cpu_time';

it.each([
  'sk-proj-abcdefghijklmnop1234567890',
  'The key is sk-ant-' + 'api03-abcDEF123456ghiJKL789',
  'AKIAIOSFODNN7EXAMPLE is the key id',
  'token ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'glpat-AbCdEfGhIjKlMnOpQrSt',
  'xoxb-123456789012-abcdefghijkl',
  `AIza${'a1B2c'.repeat(7)}`,
  'sk_live_abcdefghijklmnop1234',
  `gsk_${'a1B2'.repeat(13)}`,
  `xai-${'a1B2'.repeat(20)}`,
  `tvly-dev-${'a1B2'.repeat(8)}`,
  `AccountKey=${'Zm9v'.repeat(20)}==`,
  'npm_abcdefghijklmnopqrstuvwxyz0123456789',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA',
  'postgres://admin:s3cr3t@db.internal:5432/app',
  'Authorization: Bearer abcdef1234567890abcdef',
  'password: hunter2!',
  'Password = "correcthorse"',
  'DB_PASSWORD=tr0ub4dor',
  'api_key: 9f8e7d6c5b4a',
  'my password is hunter22x',
  'PIN and password: 483920',
  '密码：abc12345',
  'pass\u00adword: hunter2!',
  'pass\u200dword: hunter2!',
  'ｐａｓｓｗｏｒｄ：hunter2!',
  '我的密码是 hunter22x',
  'The access token is "a8f5f167f44f4964e6c998dee827110c".',
])('finds a secret in %j', text => {
  expect(holdsSecret(text)).toBe(true);
});

it.each([
  'The person forgets passwords often',
  'Passwords are kept in 1Password',
  'Password: rotated every 90 days',
  'The password is changed every spring',
  'The password must have 12 characters',
  'password policy: at least 12 characters',
  'Prefers token-based authentication: it is simpler',
  'The API key lives in the vault under /prod/openai',
  'api key: $OPENAI_API_KEY',
  'The token is <your token>',
  'Uses secret: manager of the cloud',
  '密码：每 90 天更换一次',
  '密钥保存在保险库里',
  '用户的密码管理器是 Bitwarden',
  'Commit 9f8e7d6c5b4a3f2e1d0c is good',
  'The account key holders meet on Mondays',
  'See https://example.com:8443/path@v2',
  'The meeting is at 10:30, room sk-12',
  'The user is allergic to basic soaps',
])('passes %j', text => {
  expect(holdsSecret(text)).toBe(false);
});

it('takes little time for long hostile texts', () => {
  const started = cpuTime();
  for (const text of [
    'password '.repeat(220),
    'a://'.repeat(500),
    '密码是'.repeat(660),
    `Bearer ${'a'.repeat(1_990)}`,
    'eyJ'.repeat(660),
  ]) {
    holdsSecret(text.slice(0, 2_000));
  }
  expect(cpuTime() - started).toBeLessThan(500);
});
