import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own, where this user may mount one. */
export interface Disk {
  readonly path: string
  mount(options: string): void
  makeReadOnly(): void
  remove(): void
}

export function makeDisk(): Disk {
  const path = mkdtempSync(join(tmpdir(), 'spill-fs-disk-'))
  const unmount = (): void => {
    try {
      execFileSync('umount', [path], { stdio: 'ignore' })
    } catch {
      // nothing was mounted
    }
  }
  return {
    path,
    mount(options) {
      unmount()
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' })
    },
    makeReadOnly() {
      execFileSync('mount', ['-o', 'remount,ro', path], { stdio: 'ignore' })
    },
    remove() {
      unmount()
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Whether disks can be mounted here: for that one has to be root, and not in a container that forbids it. */
export function canMount(): boolean {
  const disk = makeDisk()
  try {
    disk.mount('size=64k')
    return true
  } catch {
    return false
  } finally {
    disk.remove()
  }
}
