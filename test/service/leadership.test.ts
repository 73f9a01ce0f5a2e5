import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ForeignLeaderError, type Following, type Leading } from '../../src/service/leadership';
import { leaderCurlFile, leaderFile, readLeaderInfo } from '../../src/service/leader-info';
import { leadershipOf, tempStore } from './support/temp-store';

function leads(role: Leading | Following): Leading {
  if (role.role !== 'leader') throw new Error('expected to lead');
  return role;
}

describe('Leadership', () => {
  it('lets one lead and the others follow it', async () => {
    const store = await tempStore();
    const first = leads(await leadershipOf(store).acquire());
    const second = await leadershipOf(store).acquire();
    expect(second).toEqual({ role: 'follower', leader: first.info });
    expect(first.fence()).toBe(true);
    expect(await readLeaderInfo(store.storageDir)).toEqual(first.info);
  });

  it('writes the key only into files of mode 0600 in folders of mode 0700', async () => {
    const store = await tempStore();
    const { info } = leads(await leadershipOf(store).acquire());
    for (const file of [leaderFile(store.storageDir), leaderCurlFile(store.storageDir)]) {
      expect(await readFile(file, 'utf8')).toContain(info.key);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
    expect(statSync(path.join(store.storageDir, 'epochs')).mode & 0o777).toBe(0o700);
    expect(statSync(path.dirname(info.address)).mode & 0o777).toBe(0o700);
    expect(statSync(info.address).mode & 0o777).toBe(0o600);
  });

  it('takes the next number when the leader has gone, and leaves one claim', async () => {
    const store = await tempStore();
    const first = leadershipOf(store);
    const before = leads(await first.acquire());
    await first.release();
    const after = leads(await leadershipOf(store).acquire());
    expect(after.epoch).toBe(before.epoch + 1);
    expect(after.info.address).not.toBe(before.info.address);
    expect(await readdir(path.join(store.storageDir, 'epochs'))).toEqual([`e.${after.epoch}`]);
  });

  it('exceeds every segment of the store, also when the claims were wiped', async () => {
    const store = await tempStore();
    const role = leads(await leadershipOf(store, { highestSegment: () => Promise.resolve(41) }).acquire());
    expect(role.epoch).toBe(42);
  });

  it('takes a busy socket for a leader: it accepts and never answers', async () => {
    const store = await tempStore();
    const first = leads(await leadershipOf(store).acquire());
    const idle = Array.from({ length: 5 }, () => net.connect(first.info.address));
    expect((await leadershipOf(store).acquire()).role).toBe('follower');
    for (const socket of idle) socket.destroy();
  });

  it('is fenced once a higher number is claimed, and says so', async () => {
    const store = await tempStore();
    const first = leadershipOf(store);
    const old = leads(await first.acquire());
    const lost = new Promise<void>((resolve) => first.onDidLose(resolve));
    const fresh = leads(await leadershipOf(store).acquire({ silentEpoch: old.epoch }));
    await lost;
    expect(fresh.epoch).toBe(old.epoch + 1);
    expect(old.fence()).toBe(false);
    expect(fresh.fence()).toBe(true);
    await first.release();
    expect(await readLeaderInfo(store.storageDir)).toEqual(fresh.info);
  });

  it('does not depose a leader for the silence of an earlier one', async () => {
    const store = await tempStore();
    const first = leads(await leadershipOf(store).acquire());
    const role = await leadershipOf(store).acquire({ silentEpoch: first.epoch - 1 });
    expect(role.role).toBe('follower');
  });

  it('has one leader where two windows see different runtime directories', async () => {
    const store = await tempStore();
    const other = { ...store, runtimeDir: path.join(store.runtimeDir, 'o') };
    await mkdir(other.runtimeDir, { mode: 0o700 });
    const roles = await Promise.all([leadershipOf(store).acquire(), leadershipOf(other).acquire()]);
    expect(roles.map((role) => role.role).sort()).toEqual(['follower', 'leader']);
  });

  it('stops leading when the store is removed', async () => {
    const store = await tempStore();
    const leadership = leadershipOf(store);
    const role = leads(await leadership.acquire());
    await rm(path.join(store.storageDir, 'epochs'), { recursive: true });
    expect(role.fence()).toBe(false);
  });

  it('listens again when a cleaner removed its socket', async () => {
    const store = await tempStore();
    const role = leads(await leadershipOf(store).acquire());
    await rm(role.info.address);
    while (!existsSync(role.info.address)) await delay(10);
    expect((await leadershipOf(store).acquire()).role).toBe('follower');
    expect(role.fence()).toBe(true);
  });

  it('refuses a store that another machine uses, until that one was quiet for hours', async () => {
    const store = await tempStore();
    const there = leadershipOf(store);
    const role = leads(await there.acquire());
    const foreign = { ...role.info, host: 'other-machine', boot_id: 'another boot' };
    const claim = path.join(store.storageDir, 'epochs', `e.${role.epoch}`);
    await writeFile(claim, JSON.stringify(foreign));
    const here = leadershipOf(store);
    await expect(here.acquire()).rejects.toThrow(ForeignLeaderError);
    await expect(here.acquire()).rejects.toThrow('other-machine');
    const old = new Date(Date.now() - 3 * 3_600_000);
    await utimes(leaderFile(store.storageDir), old, old);
    expect(leads(await here.acquire()).epoch).toBe(role.epoch + 1);
  });

  it('takes a store from another machine when the user says so', async () => {
    const store = await tempStore();
    const role = leads(await leadershipOf(store).acquire());
    const claim = path.join(store.storageDir, 'epochs', `e.${role.epoch}`);
    await writeFile(claim, JSON.stringify({ ...role.info, host: 'other', boot_id: 'another boot' }));
    expect((await leadershipOf(store).acquire({ evenIfForeign: true })).role).toBe('leader');
  });

  it('gets past a damaged claim', async () => {
    const store = await tempStore();
    await mkdir(path.join(store.storageDir, 'epochs'), { mode: 0o700 });
    await writeFile(path.join(store.storageDir, 'epochs', 'e.7'), '{"epoch":', { mode: 0o600 });
    expect(leads(await leadershipOf(store).acquire()).epoch).toBe(8);
  });

  it('lets the newer version that asked go first', async () => {
    const store = await tempStore();
    const first = leadershipOf(store);
    await first.acquire();
    await first.release('2.0.0');
    const older = leadershipOf(store, { version: '1.5.0' }).acquire();
    const newer = leadershipOf(store, { version: '2.0.0' }).acquire();
    expect((await newer).role).toBe('leader');
    expect((await older).role).toBe('follower');
  });
});
