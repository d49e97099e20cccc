import { bubblewrapArguments } from '../../../src/adapter/sandbox/bubblewrap';

it('mounts system directories read-only, then hides directories, then mounts the workspace and the protected entries', () => {
  const args = bubblewrapArguments(
    { root: '/usr/src/app/ws', covered: ['/usr/src/app'] },
    [
      { path: '/usr/src/app/ws/.git', isWritable: true },
      { path: '/usr/src/app/ws/.git/hooks', isWritable: false },
    ],
    '/usr/src/app/ws',
  );
  const at = (...words: string[]) => args.findIndex((_, i) => words.every((word, k) => args[i + k] === word));
  const order = [
    at('--ro-bind-try', '/usr', '/usr'),
    at('--tmpfs', '/tmp'),
    at('--tmpfs', '/usr/src/app'),
    at('--bind', '/usr/src/app/ws', '/usr/src/app/ws'),
    at('--bind', '/usr/src/app/ws/.git', '/usr/src/app/ws/.git'),
    at('--ro-bind', '/usr/src/app/ws/.git/hooks', '/usr/src/app/ws/.git/hooks'),
    at('--chdir', '/usr/src/app/ws'),
  ];
  expect(order).not.toContain(-1);
  expect([...order].sort((a, b) => a - b)).toEqual(order);
  expect(args).toContain('--unshare-all');
});
