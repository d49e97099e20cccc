const TOOL =
  'M14.500 6.500a4 4 0 0 1 5-1l-2.700 2.700.5 2 2 .5 2.200-2.200a4 4 0 0 1-5.500 4.700L9 20.200a2 2 0 0 1-2.900-2.900l7-7a4 4 0 0 1 1.400-3.800z';

/** Line icons on a 24 grid, drawn for this product. */
const PATHS = {
  menu: 'M4 7h16M4 12h16M4 17h10',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  pencil: 'M4 20l1-4L16.5 4.5a1.8 1.8 0 0 1 2.6 0l.4.4a1.8 1.8 0 0 1 0 2.6L8 19l-4 1zM14.5 6.5l3 3',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 11v5M13.5 11v5',
  send: 'M12 19V5.5M6 11l6-6 6 6',
  stop: 'M8 7h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z',
  chevron: 'M9 6l6 6-6 6',
  down: 'M12 5v13.5M6 13l6 6 6-6',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  alert: 'M12 4.5L21 20H3zM12 10.5v4M12 17.2v.1',
  retry: 'M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4',
  undo: 'M5 12a7 7 0 1 0 2.2-5.1M5 4v4h4',
  sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  thought: 'M9.5 17.5h5M10.5 20.5h3M12 3.5a6 6 0 0 0-3.5 10.9c.6.5 1 1.100 1 1.600h5c0-.5.4-1.100 1-1.600A6 6 0 0 0 12 3.500z',
  question:
    'M12 3.500a8.500 8.500 0 1 1-4.200 15.900L4 20.500l1.200-3.700A8.500 8.500 0 0 1 12 3.500zM9.700 9.800a2.300 2.300 0 1 1 3.300 2.100c-.700.3-1 .8-1 1.400M12 15.800v.1',
  shield: 'M12 3.500l7 2.700v5.300c0 4.300-2.900 7.400-7 9-4.100-1.600-7-4.700-7-9V6.200zM12 8.500v4.200M12 15.600v.1',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.300l2.800 1.700',
  bash: 'M4 5h16v14H4zM7.500 9.500L10 12l-2.500 2.500M12 15h4',
  read_file: 'M7 3.500h7l4 4V20.500H7zM14 3.500v4h4M10 12h5M10 15.500h5',
  write_file: 'M18 10V7.500l-4-4H7v17h4M14 3.500v4h4M13.500 20.500l.6-2.600 4.600-4.600 2 2-4.600 4.600z',
  list_dir: 'M3.500 6.500h6l2 2.500h9v10.500h-17z',
  patch: 'M7 3.500h10v17H7zM12 7v5M9.500 9.500h5M9.500 16h5',
  todo: 'M4.500 7l1.500 1.500L8.500 5.800M4.500 16l1.500 1.500 2.500-2.700M12 7h8M12 16h8',
  tool: TOOL,
  tools: TOOL,
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 2.500-2.500L20 17M15.500 8.500v.1',
  back: 'M11 6l-6 6 6 6M5 12h14',
  crew: 'M9 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3.500 19c0-3.300 2.400-5 5.500-5s5.500 1.700 5.500 5M15.500 5.300a3 3 0 0 1 0 5.400M17 14.300c2 .6 3.500 2.200 3.500 4.700',
  search: 'M10.500 4.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5',
  memory: 'M7 3.500h10v17l-5-4-5 4z',
  skills: 'M12 3.500l2.300 5.200 5.700.600-4.200 3.800 1.200 5.600-5-2.900-5 2.900 1.200-5.600L4 9.300l5.700-.600z',
  jobs: 'M12 5.500a7.500 7.500 0 1 1 0 15 7.500 7.500 0 0 1 0-15zM12 9v4l2.500 1.500M4 6l3-2.500M20 6l-3-2.500',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Returns the icon of a tool, or a common one for tools without an icon of their own. */
export function toolIcon(tool: string): IconName {
  return tool === 'clarify' ? 'question' : tool in PATHS ? (tool as IconName) : 'tool';
}
