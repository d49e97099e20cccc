/** The files of a release beside the packages: bill of materials, provenance and checksums. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../build_if_needed.mjs';
import { bundledPackages } from '../pack/licences.mjs';

/**
 * Returns the bill of materials, CycloneDX 1.5 as npm writes it, with the packages whose code is in the package of the gateway. npm itself would list
 * everything that a checkout installs.
 */
export function materialsOf(version) {
  const bill = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
  const bundled = new Set(bundledPackages().map(({ name, version: itsVersion }) => `${name}@${itsVersion}`));
  const components = bill.components.filter(({ name, version: itsVersion }) => bundled.delete(`${name}@${itsVersion}`));
  if (bundled.size > 0) throw new Error(`the lock file does not have ${[...bundled].join(', ')}: run "npm ci".`);
  const itself = { ...bill.metadata.component, name: 'neta-gateway', version };
  const refs = new Set([itself['bom-ref'], ...components.map(component => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(other => refs.has(other)) }));
  const shipped = components.map(({ properties: _development, ...component }) => ({ ...component, scope: 'required' }));
  return toText({ ...bill, metadata: { ...bill.metadata, component: itself }, components: shipped, dependencies });
}

/**
 * Returns the provenance of the packages, as an in-toto statement with a predicate of SLSA 1. Nobody has signed it: it says what to repeat, namely
 * `npm ci && npm run pack` at the commit, which gives the same bytes.
 */
export function provenanceOf(directory, packages, { version, commit, startedOn }) {
  const lock = { name: 'package-lock.json', digest: { sha256: sha256(join(root, 'package-lock.json')) } };
  return toText({
    _type: 'https://in-toto.io/Statement/v1',
    subject: packages.map(name => ({ name, digest: { sha256: sha256(join(directory, name)) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:neta-gateway:npm-run-pack',
        externalParameters: { version },
        internalParameters: { node: process.versions.node, npm: npm('--version').trim(), platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [{ name: 'source', digest: { gitCommit: commit } }, lock],
      },
      runDetails: {
        builder: { id: 'urn:neta-gateway:npm-run-release' },
        metadata: { startedOn: startedOn.toISOString(), finishedOn: new Date().toISOString() },
      },
    },
  });
}

/** Returns the checksums as `sha256sum --check` reads them. */
export const sumsOf = (directory, names) => names.map(name => `${sha256(join(directory, name))}  ${name}\n`).join('');

const sha256 = file => createHash('sha256').update(readFileSync(file)).digest('hex');

const toText = value => `${JSON.stringify(value, undefined, 2)}\n`;

function npm(...args) {
  return execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
}
