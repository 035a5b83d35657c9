import { computed } from 'nanostores'
import { mayCall, type AdminCall } from '../../admin/access.ts'
import { $user } from '../session.ts'

/** Whether the logged-in user may make a call, so that pages hide what the server would refuse. */
export const $may = computed($user, user => {
  const staff = user?.staff ?? null
  return (call: AdminCall) => mayCall(staff, call)
})
