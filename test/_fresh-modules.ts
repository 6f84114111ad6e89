// Before each test file: the files share a process, which is much faster, and none sees a module of ours as another left it.
import { vi } from 'vitest'

vi.resetModules()
