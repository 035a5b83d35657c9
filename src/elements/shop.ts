import './account-menu.ts'
import './cart-badge.ts'
import './side-menu.ts'
import './toast-region.ts'
