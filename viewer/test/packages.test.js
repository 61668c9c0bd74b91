import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import test from 'node:test';

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

test('packages are pinned by version and hash, and name no registry', () => {
  const lock = read('package-lock.json'), {packages} = JSON.parse(lock);
  assert.doesNotMatch(lock, /https?:|"resolved"/);
  for (const [name, {integrity}] of Object.entries(packages)) {
    if (name) assert.match(integrity, /^sha512-/, name);
  }
  for (const version of Object.values(JSON.parse(read('package.json')).devDependencies))
    assert.match(version, /^\d+\.\d+\.\d+$/);
});
