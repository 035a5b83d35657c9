export const STATES = [
  ...['Andhra Pradesh', 'Arunachal Pradesh', 'Assam', 'Bihar', 'Chhattisgarh', 'Goa', 'Gujarat', 'Haryana'],
  ...['Himachal Pradesh', 'Jharkhand', 'Karnataka', 'Kerala', 'Madhya Pradesh', 'Maharashtra', 'Manipur', 'Meghalaya'],
  ...['Mizoram', 'Nagaland', 'Odisha', 'Punjab', 'Rajasthan', 'Sikkim', 'Tamil Nadu', 'Telangana', 'Tripura'],
  ...['Uttar Pradesh', 'Uttarakhand', 'West Bengal'],
  ...['Andaman and Nicobar Islands', 'Chandigarh', 'Dadra and Nagar Haveli and Daman and Diu', 'Delhi'],
  ...['Jammu and Kashmir', 'Ladakh', 'Lakshadweep', 'Puducherry']
] as const

/** Finds the state for free text such as 'tamilnadu'. Returns '' if no state matches. */
export function findState(text: string): string {
  const normalize = (name: string): string =>
    name
      .toLowerCase()
      .replace(/&/g, 'and')
      .replace(/[^a-z]/g, '')
  return STATES.find(state => normalize(state) === normalize(text)) ?? ''
}
