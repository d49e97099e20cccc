/** The arrows of docs/architecture.md as rules: who may import whom. */
const layer = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });
const inside = path => ({ path: `^src/${path}` });
const outside = (...allowed) => ({ path: '^src/', pathNot: allowed.map(path => `^src/${path}`) });

/** A package is matched by the path that it resolves to, not by the name that the import says. */
const FRAMEWORKS = '(^|/)node_modules/(@midwayjs|koa|@koa|socket\\.io|kysely|openai)/';
const SYSTEM_MODULES = '^(node:)?(fs|fs/promises|child_process|net|http|https|worker_threads)$';
/** The module that a worker thread starts with. */
const WORKER_ENTRY = '^src/adapter/.*_worker_entry\\.ts$';
/** The files of a feature that speak HTTP. */
const FEATURE_DOOR = ['^src/feature/\\w+_door/', '^src/feature/.+routes\\.ts$', '^src/feature/\\w+/routes/'];
/** The tables of a feature: queries in the language of the store. */
const FEATURE_STORE = '^src/feature/.+/store/';
const SHARED = ['errors\\.ts$', 'utils/'];

module.exports = {
  forbidden: [
    layer('no-cycles', {}, { circular: true }, 'modules must not import each other in a circle'),
    layer('port', inside('port/'), outside('port/', ...SHARED), 'ports know only ports'),
    layer('tools', inside('tools/'), outside('tools/', 'port/', ...SHARED), 'tools reach the world through their context'),
    layer('runtime', inside('runtime/'), outside('runtime/', 'tools/', 'port/', ...SHARED), 'the loop is pure'),
    layer(
      'service',
      inside('service/'),
      outside('service/', 'runtime/', 'tools/', 'port/', ...SHARED),
      'services know no door and no adapter',
    ),
    layer(
      'adapter',
      { path: '^src/adapter/', pathNot: [WORKER_ENTRY] },
      outside('adapter/', 'port/', ...SHARED),
      'adapters implement ports',
    ),
    layer(
      'worker-entry',
      { path: WORKER_ENTRY },
      outside('adapter/', 'port/', 'tools/(files/search_tree|files/list_tree|cpu_tasks|patch_bytes)\\.ts$', ...SHARED),
      'the entry module of a worker thread may load the pure functions that the thread runs, nothing else of tools',
    ),
    layer('wire', inside('wire/'), outside('wire/', 'service/', 'port/', ...SHARED), 'the wire form of records knows services, not doors'),
    layer(
      'gateway',
      inside('gateway/'),
      outside('gateway/', 'wire/', 'service/', 'port/', 'inject_service\\.ts$', ...SHARED),
      'a door calls services',
    ),
    layer(
      'controller',
      inside('controller/'),
      outside('controller/', 'wire/', 'service/', 'port/', 'inject_service\\.ts$', ...SHARED),
      'a door calls services',
    ),
    layer(
      'only-ports-imports-adapters',
      { path: '^src/', pathNot: ['^src/adapter/', '^src/(ports|check_ports|archives)\\.ts$', '^src/feature\\.ts$', FEATURE_STORE] },
      inside('adapter/'),
      'see ports.ts',
    ),
    layer(
      'feature-store',
      { path: ['^src/feature\\.ts$', FEATURE_STORE] },
      { path: '^src/adapter/', pathNot: '^src/adapter/sql/' },
      'tables of features are queries, like those of the core',
    ),
    layer(
      'no-framework-inside',
      { path: ['^src/(runtime|tools|port|service)/', '^src/feature/'], pathNot: [...FEATURE_DOOR, FEATURE_STORE] },
      { path: FRAMEWORKS },
      'only doors, adapters and main know a framework',
    ),
    layer(
      'no-system-inside',
      inside('(runtime|tools|port|service|feature)/'),
      { path: SYSTEM_MODULES },
      'services, runtime, tools, ports and features reach the system through ports',
    ),
    layer(
      'no-development-packages',
      { path: '^(src|config)/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
      'npm ci --omit=dev must be able to start a built gateway',
    ),
    layer(
      'feature',
      { path: '^src/feature/', pathNot: FEATURE_STORE },
      outside(
        'feature/',
        'feature\\.ts$',
        'controller/',
        'wire/',
        'service/',
        'runtime/',
        'tools/',
        'port/',
        'inject_service\\.ts$',
        ...SHARED,
      ),
      'a feature hangs on the core',
    ),
    layer(
      'feature-tools',
      inside('feature/[^/]+/tools/'),
      outside('feature/', 'tools/', 'port/', ...SHARED),
      'tools of features reach the world through their context, too',
    ),
    layer(
      'features-apart',
      { path: '^src/feature/([^/]+)/' },
      { path: '^src/feature/', pathNot: '^src/feature/$1/' },
      'no feature imports another: what both need moves down',
    ),
    layer(
      'only-features-imports-features',
      { path: '^src/', pathNot: ['^src/feature/', '^src/features\\.ts$'] },
      inside('feature/'),
      'see features.ts: without its line there, a feature is not there',
    ),
    layer(
      'cli',
      inside('cli/'),
      outside('cli/', 'utils/', '(archives|start_check|model_probe)\\.ts$'),
      'the command line reaches the gateway by REST alone, the data of this machine through archives.ts, checks a start with start_check.ts, and models with model_probe.ts',
    ),
    layer('utils', inside('utils/'), outside('utils/', 'errors\\.ts$'), 'utils are pure helpers'),
    {
      ...layer('web-folders', { path: '^web/src/' }, { circular: true }, 'folders of the pages must not import each other in a circle'),
      scope: 'folder',
    },
    layer(
      'web-inner-folders',
      { path: '^(web/src/.+)/[^/]+/[^/]+$' },
      { path: '^$1/[^/]+$' },
      'files beside a folder import it, so the folder does not import them',
    ),
    layer(
      'web-features-apart',
      { path: '^web/src/feature/([^/]+)/' },
      { path: '^web/src/feature/', pathNot: '^web/src/feature/$1/' },
      'no feature of the pages imports another: what both need moves down',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'], conditionNames: ['require', 'node', 'default'] },
  },
};
