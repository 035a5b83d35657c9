export const CUSTOMER = { name: 'Anita Kumar', email: 'anita@example.com', phone: '9876543210' }
export const ADDRESS = {
  street: '14 Nandi Koil Street',
  city: 'Tiruchirappalli',
  state: 'Tamil Nadu',
  pincode: '620002',
  country: 'India'
}
