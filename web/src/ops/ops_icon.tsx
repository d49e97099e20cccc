import type { ScreenName } from './screens';

/** Line icons of the screens on a 24 grid. */
const PATHS: Record<ScreenName, string> = {
  overview: 'M4 13h6V4H4zM14 20h6V4h-6zM4 20h6v-3.500H4z',
  runs: 'M4 6h9M4 12h13M8 18h12',
  sessions: 'M4 5h16v11H10l-4.500 3.500V16H4z',
  people: 'M12 5a3.200 3.200 0 1 1 0 6.400A3.200 3.200 0 0 1 12 5zM5.500 19.500c.4-3.400 3-5 6.500-5s6.100 1.600 6.500 5',
  suites: 'M4 6l1.500 1.500L8 5M4 12.500l1.500 1.500L8 11.500M4 19l1.500 1.500L8 18M11 6.500h9M11 13h9M11 19.500h9',
  tools:
    'M14.500 6.500a4 4 0 0 1 5-1l-2.700 2.700.5 2 2 .5 2.200-2.200a4 4 0 0 1-5.500 4.700L9 20.200a2 2 0 0 1-2.900-2.900l7-7a4 4 0 0 1 1.400-3.800z',
  models: 'M5 19V9M10 19V5M15 19v-7M20 19v-4M3 19h18',
  limits: 'M4.500 17a8 8 0 1 1 15 0M12 14l4-5',
  jobs: 'M12 5.500a7.500 7.500 0 1 1 0 15 7.500 7.500 0 0 1 0-15zM12 9v4l2.500 1.500M4 6l3-2.500M20 6l-3-2.500',
  connections: 'M5 9.500a10 10 0 0 1 14 0M8 13a6 6 0 0 1 8 0M12 17.500v.1',
  logs: 'M4 5h16v14H4zM7.500 9l3 3-3 3M12.500 15.500h4',
  audit: 'M7 3.500h10v17H7zM10 8h4M10 12h4M10 16h2',
  accounts:
    'M9 5.500a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600zM3.500 18.500c.3-3 2.500-4.500 5.500-4.500s5.200 1.500 5.500 4.500M16 6a2.600 2.600 0 0 1 0 5.100M17 14.200c2.100.5 3.300 1.900 3.500 4.300',
  keys: 'M14.500 4a5.500 5.500 0 1 1-4 9.300L6 17.800V20H4v-3l6.300-6.300A5.500 5.500 0 0 1 14.500 4zM16.500 7.500v.1',
  config: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
};

export function OpsIcon({ name }: { name: ScreenName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
